<?php
function f() {}
?>
