class Gson {
  String read(String a, Class<T> b) {
    return null;
  }

  String read(String a, Type b) {
    return null;
  }
}
