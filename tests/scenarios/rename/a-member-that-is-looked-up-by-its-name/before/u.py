from t import Size as S

SMALLEST = S["SMALL"]
