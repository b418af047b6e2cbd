{ lib, ... }:
{
  # Says it.
  services.shop = {
    note = ''
      one
        two
    '';
    port = 2;
  };
  services.till = {
    open = true;
  };
}
