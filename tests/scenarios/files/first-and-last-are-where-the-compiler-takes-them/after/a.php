<?php
function f() {}

function g() {}
?>
