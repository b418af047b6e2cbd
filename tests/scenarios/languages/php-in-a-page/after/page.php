<html>
<body>
<?php function row($text) { ?>
  <p><?= $text ?></p>
<?php } ?>
<?php
class Table {
    function rows($count)
    {
        return $count;
    }
}

class Cell {
}

?>
</body>
</html>
