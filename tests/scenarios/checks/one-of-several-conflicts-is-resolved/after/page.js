<!doctype html>
<p>a</p>
