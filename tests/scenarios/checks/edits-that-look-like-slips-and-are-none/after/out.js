// debug(1);
go();
