using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>A kind of stream and its name, as <see cref="NativeContender"/> is for allocators.</summary>
internal abstract class StreamContender(string name)
{
    public string Name { get; } = name;

    public abstract TResult Accept<TResult>(IStreamVisitor<TResult> visitor);

    public static StreamContender Of<TMaker>(string name, TMaker maker)
        where TMaker : struct, IStreamMaker => new Typed<TMaker>(name, maker);

    private sealed class Typed<TMaker>(string name, TMaker maker) : StreamContender(name)
        where TMaker : struct, IStreamMaker
    {
        public override TResult Accept<TResult>(IStreamVisitor<TResult> visitor) => visitor.Visit(Name, maker);
    }
}
