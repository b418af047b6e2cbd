class Window : public QObject {
  Q_OBJECT

 public:
  void open();
  void close();
};
