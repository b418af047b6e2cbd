{# About a.
   Old. #}
select a
from {{ ref('b') }}
{# Newer. #}
where x
