class Other: pass
