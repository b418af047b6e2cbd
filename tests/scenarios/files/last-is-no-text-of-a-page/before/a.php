<?php
function f() {}
?>
<p>x</p>
