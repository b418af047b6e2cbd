<!DOCTYPE html>
<p>a</p>
