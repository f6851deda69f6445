import uuid

from lead_engine import request

lead = {"name": "Arjun Nair", "phone": "+91 99887 76655", "city": "Kochi", "source": "Website"}
status, answer = request("POST", "/leads", lead, str(uuid.uuid4()))
print("created" if status == 201 else "merged", answer["data"]["name"], answer["data"]["phone"])
