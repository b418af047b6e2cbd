from a import Job

job = Job()
job.start = 3
