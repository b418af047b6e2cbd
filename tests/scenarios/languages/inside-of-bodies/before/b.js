const f = async a => fetch(a)
