const { load } = require("./use");
const fs = require("fs");

load(fs.load);
