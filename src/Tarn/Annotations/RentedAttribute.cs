namespace Tarn;

/// <summary>
/// The caller owns the buffer that a method returns or gives through an <see langword="out"/> parameter, and is to return or dispose it.
/// Tarn's analyzer treats a call as one that rents; nothing reads it at run time.
/// </summary>
/// <remarks>
/// The analyzer follows results; on an <see langword="out"/> parameter the attribute informs readers only. It goes by the name alone: a
/// library that does not reference Tarn declares an attribute of this name for itself.
/// </remarks>
[AttributeUsage(AttributeTargets.ReturnValue | AttributeTargets.Parameter, Inherited = false)]
public sealed class RentedAttribute : Attribute;
