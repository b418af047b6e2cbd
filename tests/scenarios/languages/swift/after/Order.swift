import Foundation

/// An order.
@objc
public final class Order: Base {
    let name: String

    init(name: String) {
        self.name = name
    }

    /// Says it.
    @discardableResult
    func say() -> String {
        print(name)
        return name
    }
}

extension Order: Equatable {
    static func same(a: Order, b: Order) -> Bool { a.name == b.name }

    func hash() -> Int { 1 }
}
