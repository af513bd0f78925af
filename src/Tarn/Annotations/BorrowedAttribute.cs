namespace Tarn;

/// <summary>
/// Marks a parameter whose argument is used only during the call, or until the task that the call returns has ended. The method does not
/// keep it. Tarn's analyzer reads the attribute; without it, the analyzer assumes that a method whose source it cannot see may keep its
/// argument. Nothing reads it at run time.
/// </summary>
/// <remarks>
/// The analyzer matches the attribute by name: a library that does not reference Tarn can declare its own attribute of this name.
/// </remarks>
[AttributeUsage(AttributeTargets.Parameter, Inherited = false)]
public sealed class BorrowedAttribute : Attribute;
