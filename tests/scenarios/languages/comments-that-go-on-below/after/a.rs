const Y: u8 = 2;
