"""A client of UM-Bridge 1.0 in a few lines of the standard library; the package umbridge does the same."""
import http.client
import json


class HTTPModel:
    def __init__(self, address, name):
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.name = name

    def _ask(self, path, **request):
        self.connection.request("POST", path, json.dumps({"name": self.name, **request}))
        response = self.connection.getresponse()
        answer = json.loads(response.read())
        if response.status != 200:
            raise RuntimeError(answer["error"]["message"])
        return answer

    def __call__(self, parameters, config=None):
        return self._ask("/Evaluate", input=[list(parameters)], config=config or {})["output"]

    def gradient(self, parameters, sens, config=None):
        return self._ask("/Gradient", outWrt=0, inWrt=0, input=[list(parameters)], sens=list(sens), config=config or {})["output"]
