import xml
import xml.dom.minidom


def other():
    return xml.__name__


def parser():
    return xml.dom.minidom.__name__
