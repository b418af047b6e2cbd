save(user, mail, name, phone);
send(user, mail);
