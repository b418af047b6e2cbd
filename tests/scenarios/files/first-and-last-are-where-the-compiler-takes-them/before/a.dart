library a;

import 'x.dart';
part 'y.dart';

class A {}
