using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Contenders.Against;

/// <summary>Creates something, such as a trial, for a pool whose type is known only here.</summary>
internal interface IPoolVisitor<out TResult>
{
    TResult Visit<TPool>(PoolContender contender, TPool pool)
        where TPool : struct, IBytePool;
}
