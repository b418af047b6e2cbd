<div>
{% if a %}
  <p>x</p>
{% endif %}
</div>
