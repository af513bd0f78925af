namespace Tarn;

/// <summary>
/// Marks a buffer that a method returns, directly or through an <see langword="out"/> parameter, as owned by the caller, which must return
/// or dispose it. Tarn's analyzer treats a call of the method as one that rents. Nothing reads the attribute at run time.
/// </summary>
/// <remarks>
/// The analyzer follows return values; on an <see langword="out"/> parameter the attribute informs only readers. The analyzer matches the
/// attribute by name: a library that does not reference Tarn can declare its own attribute of this name.
/// </remarks>
[AttributeUsage(AttributeTargets.ReturnValue | AttributeTargets.Parameter, Inherited = false)]
public sealed class RentedAttribute : Attribute;
