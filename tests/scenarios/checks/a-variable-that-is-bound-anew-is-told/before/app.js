var app = express();

app.use(log);

function main() {
  app.listen(80);
}
