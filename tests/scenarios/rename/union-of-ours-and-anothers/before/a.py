class Cat:
    def speak(self):
        return "meow"


class Dog:
    def speak(self):
        return "woof"


def one(f):
    pet = Cat() if f else Dog()
    return pet.speak()
