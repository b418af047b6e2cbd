const { read } = require("./use");
const fs = require("fs");

read(fs.load);
