function hash(acc, h) {
    const all = acc + h;
    return hashChildren(acc, h);
}
