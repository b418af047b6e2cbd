<?php
function f($y) {
    switch ($y) {
    case 1:
    case 2:
        b();
        break;
    }
}
