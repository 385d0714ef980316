"""Opens what "curlew export" wrote with a library of spreadsheets."""
import datetime, os, subprocess
import openpyxl

path = os.environ["work"] + "/export.xlsx"
subprocess.run(["curlew", "export", "--format", "xlsx", "-o", path], check=True)
rows = list(openpyxl.load_workbook(path).active.iter_rows(values_only=True))
header, rows = rows[0], [dict(zip(rows[0], r)) for r in rows[1:]]
assert len(rows) > 2 and "starts_at" in header and "entity_id" in header, header
assert all(isinstance(r["starts_at"], datetime.datetime) for r in rows), rows[0]
assert all(isinstance(r["title"], str) and r["entity_id"].startswith("ent_") for r in rows), rows[0]
print(len(rows), "rows,", "openpyxl", openpyxl.__version__)
