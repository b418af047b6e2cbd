class A:
    def sql(self):
        return """
select *
  from t
"""
