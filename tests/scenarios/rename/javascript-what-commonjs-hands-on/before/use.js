const { load } = require("./load");
const all = require("./load");
const { load: other } = require("./load.js");

module.exports = { load, a: all.load(), b: require("./load").load(), c: other() };
