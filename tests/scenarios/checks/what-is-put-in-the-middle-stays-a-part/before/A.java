class A {
  Client client = Client.builder()
      .url(URL)
      .timeout(30)
      .build();
}
