"""An S3-compatible service (moto) with a bucket, which checks signatures. Prints one line: port, key and secret. Ends with
the program that has started it."""

import os
import time

# The calls below need no signature yet; every later one does.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.iam import access_control
from moto.server import ThreadedMotoServer
from urllib.parse import quote

create_request = access_control.IAMRequestBase._create_aws_request


def create_escaped_request(self):
    """moto checks a query that is not escaped any more: it refuses what boto3 signs, too, if a prefix has a slash."""
    path, mark, query = self._path.partition("?")
    self._path = path + mark + quote(query, safe="=&%-._~")
    return create_request(self)


access_control.IAMRequestBase._create_aws_request = create_escaped_request

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
port = server.get_host_and_port()[1]
place = {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "eu-central-1",
         "aws_access_key_id": "first", "aws_secret_access_key": "first"}
iam = boto3.client("iam", **place)
iam.create_user(UserName="files")
key = iam.create_access_key(UserName="files")["AccessKey"]
policy = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}'
iam.put_user_policy(UserName="files", PolicyName="all", PolicyDocument=policy)
boto3.client("s3", **place).create_bucket(
    Bucket="team-files", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
print(port, key["AccessKeyId"], key["SecretAccessKey"], flush=True)
parent = os.getppid()
while os.getppid() == parent:
    time.sleep(1)
