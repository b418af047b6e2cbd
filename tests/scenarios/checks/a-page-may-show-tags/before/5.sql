select a
{% if is_incremental() %}
  where a > 1
{% endif %}
