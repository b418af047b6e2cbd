<?php
declare(strict_types=1);
$x = 1;

