<div>
{% if a %}
  <p>x</p>
{% else %}
  <p>y</p>
{% endif %}
</div>
