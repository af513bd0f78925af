namespace Tarn.Lab.Contenders.Native;

/// <summary>
/// An allocator and its name. Its type stays hidden in lists, and <see cref="Accept"/> brings it back, so that code for it is compiled for
/// it alone.
/// </summary>
internal abstract class NativeContender(string name)
{
    public string Name { get; } = name;

    public abstract TResult Accept<TResult>(INativeVisitor<TResult> visitor);

    public static NativeContender Of<TAllocator>(string name, TAllocator allocator)
        where TAllocator : struct, INativeAllocator => new Typed<TAllocator>(name, allocator);

    private sealed class Typed<TAllocator>(string name, TAllocator allocator) : NativeContender(name)
        where TAllocator : struct, INativeAllocator
    {
        public override TResult Accept<TResult>(INativeVisitor<TResult> visitor) => visitor.Visit(Name, allocator);
    }
}
