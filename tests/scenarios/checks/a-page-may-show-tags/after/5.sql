select a
{% for b in c %}
  , b
{% endfor %}
