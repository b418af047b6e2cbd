label: function f () {}
go()
