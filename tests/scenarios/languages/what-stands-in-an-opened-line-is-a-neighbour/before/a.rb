def a; run; end
