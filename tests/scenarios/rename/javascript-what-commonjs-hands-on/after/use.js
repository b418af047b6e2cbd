const { read } = require("./load");
const all = require("./load");
const { read: other } = require("./load.js");

module.exports = { read, a: all.read(), b: require("./load").read(), c: other() };
