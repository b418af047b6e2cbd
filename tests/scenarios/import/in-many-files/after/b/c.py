import re
import sys
