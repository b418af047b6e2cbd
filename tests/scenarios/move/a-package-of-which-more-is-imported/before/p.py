import xml.dom.minidom


def parser():
    return xml.dom.minidom.__name__
