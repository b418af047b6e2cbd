{ lib, ... }:
{
  # Says it.
  services.shop = {
    note = ''
      one
        two
    '';
    port = 1;
  };
}
