var app = express();

app.use(log);

var app = express();

function main() {
  app.listen(81);
}
