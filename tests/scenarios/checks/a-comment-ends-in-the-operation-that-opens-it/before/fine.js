save(user, mail, name, phone);
