namespace Tarn;

/// <summary>
/// What is passed for the parameter is used during the call only, or until the task that the call returns has ended: it is not kept.
/// Read by Tarn's analyzer, which otherwise takes it that a method it does not see may keep what it is given; nothing reads it at run time.
/// </summary>
/// <remarks>
/// The analyzer goes by the name alone: a library that does not reference Tarn declares an attribute of this name for itself.
/// </remarks>
[AttributeUsage(AttributeTargets.Parameter, Inherited = false)]
public sealed class BorrowedAttribute : Attribute;
