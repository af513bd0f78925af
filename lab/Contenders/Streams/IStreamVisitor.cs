namespace Tarn.Lab.Contenders.Streams;

/// <summary>Creates something for a contender whose type only <see cref="StreamContender.Accept"/> knows.</summary>
internal interface IStreamVisitor<out TResult>
{
    TResult Visit<TMaker>(string name, TMaker maker)
        where TMaker : struct, IStreamMaker;
}
